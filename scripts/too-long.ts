// What was too long on 2026-11-23 with its lines then. Both lists only get shorter: whoever shortens one takes it off, nobody adds one.

export const longFiles: Readonly<Record<string, number>> = {}

/** Each by its file and its name. */
export const longFunctions: Readonly<Record<string, number>> = {}
