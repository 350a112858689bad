import { messageOf } from './api.ts'

/** For a dialog's button: null when the call was done, else the text of its error. */
export const errorTextOf = (call: Promise<unknown>): Promise<string | null> => call.then(() => null, messageOf)
