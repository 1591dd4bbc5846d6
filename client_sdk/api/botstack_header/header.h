/* Types and constants for a BotStack player in C, used if its own folder has no "header.h".

   It declares nothing else, so that it clashes with no name of a player. */
#ifndef BOTARENA_BOTSTACK_HEADER_H
#define BOTARENA_BOTSTACK_HEADER_H

#include <string.h>

#define N_ROUNDS 3
#define N_GUN_LOADS 3
#define MAX_HEALTH 3
#define MIN_BULLETS 3
#define MAX_BULLETS 7
#define dBULLETS (MAX_BULLETS - MIN_BULLETS + 1)
#define ITEM_COUNT 5
#define GENERATE_ITEM ((Item)(1 + rand() % ITEM_COUNT))

typedef enum Item {
    ITEM_Empty,
    ITEM_PeekCurrent,
    ITEM_EjectCurrent,
    ITEM_SkipEnemy,
    ITEM_HealthKit,
    ITEM_ResetGun
} Item;

typedef enum Bullet { BULLET_Blank, BULLET_Live, BULLET_Unknown } Bullet;

typedef enum ItemAction { ACTION_NoItem, ACTION_Item1, ACTION_Item2 } ItemAction;

typedef enum TurnAction { ACTION_ShootSelf, ACTION_ShootOther } TurnAction;

/* `rounds` counts the rounds won. `lives` may exceed MAX_HEALTH. */
typedef struct Player {
    int rounds;
    int lives;
    Item item1;
    Item item2;
} Player;

typedef struct Gun {
    int currentBullets;
    int currentLiveBullets;
} Gun;

static inline const char *ItemToString(Item item) {
    static const char *const names[] = {
        "Empty", "Peek current", "Eject current", "Skip enemy", "Health kit", "Reset gun"};
    return item >= ITEM_Empty && item <= ITEM_ResetGun ? names[item] : "Unknown";
}

#endif
