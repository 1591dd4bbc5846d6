/** Where the package reports what happens. `console` is one. */
export interface Log {
  debug(text: string, ...details: unknown[]): void;
  info(text: string, ...details: unknown[]): void;
  warn(text: string, ...details: unknown[]): void;
  error(text: string, ...details: unknown[]): void;
}
