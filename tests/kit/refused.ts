import { CallError } from '@linewarden/client'

/** The key of the refusal that a call ends in; `done` when it does not. */
export const outcomeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error) => {
      if (error instanceof CallError) return error.message
      throw error
    },
  )
