import { messageOf } from './api.ts'

/** For a dialog's button: null when the call was done, else what to tell the person. */
export const told = (call: Promise<unknown>): Promise<string | null> => call.then(() => null, messageOf)
