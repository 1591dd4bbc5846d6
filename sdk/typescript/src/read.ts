import { isObject, put } from "./delta.js";
import { schemas, type ServerMessage } from "./messages.js";

/** A frame that is no message of a server. */
export class BadFrame extends Error {
  override readonly name = "BadFrame";
}

const SERVER_MESSAGES: Record<string, any> = Object.fromEntries(
  schemas.ServerMessage.anyOf.map(({ $ref }: { $ref: string }) => {
    const schema = schemas[nameOf($ref)];
    return [schema.properties.type.enum[0], schema];
  }),
);

/** Read a frame. Missing fields that have a default get it; unknown fields stay. Throws BadFrame. */
export function readServerMessage(frame: unknown): ServerMessage {
  if (typeof frame !== "string") throw new BadFrame("expected a text frame");
  let value: any;
  try {
    value = JSON.parse(frame);
  } catch (fault) {
    throw new BadFrame(`no JSON: ${(fault as Error).message}`);
  }
  const type = isObject(value) ? value.type : undefined;
  const known = typeof type === "string" && Object.hasOwn(SERVER_MESSAGES, type);
  if (!known) throw new BadFrame(`no message of a server: ${frame.slice(0, 80)}`);
  if (!fits(value, SERVER_MESSAGES[type])) throw new BadFrame(`wrong fields in a ${type}`);
  return value;
}

/** Whether a value has the form that a schema describes. Fills in defaults. */
function fits(value: any, schema: any): boolean {
  if (schema.$ref) return fits(value, schemas[nameOf(schema.$ref)]);
  if (schema.enum) return schema.enum.includes(value);
  if (schema.anyOf) return schema.anyOf.some((one: any) => fits(value, one));
  switch (schema.type) {
    case "object":
      return isObject(value) && membersFit(value, schema);
    case "array":
      return (
        Array.isArray(value) && value.every((item) => !schema.items || fits(item, schema.items))
      );
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case undefined:
      return true;
    default:
      return typeof value === schema.type;
  }
}

function membersFit(value: Record<string, any>, schema: any): boolean {
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) return false;
  for (const [name, field] of Object.entries<any>(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) {
      if ("default" in field) put(value, name, field.default);
    } else if (!fits(value[name], field)) return false;
  }
  return true;
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}
