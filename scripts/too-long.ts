// What was too long on 2026-11-23 with its lines then. Both lists only get shorter: whoever shortens one takes it off, nobody adds one.

export const longFiles: Readonly<Record<string, number>> = {
  'apps/server/src/areas/control/execution.test.ts': 738,
  'apps/server/src/areas/control/runs.test.ts': 887,
  'tests/stack/control/operations.test.ts': 427,
}

/** Each by its file and its name. */
export const longFunctions: Readonly<Record<string, number>> = {}
