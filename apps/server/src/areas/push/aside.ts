/** Why a message is kept aside. */
export class Aside extends Error {
  readonly reason: string
  constructor(reason: string, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Reading a message touches nothing but the message: whatever goes wrong there is its fault, and trying again would not help. */
export function orAside<T>(work: () => T): T | Aside {
  try {
    return work()
  } catch (error) {
    return error instanceof Aside ? error : new Aside('push_form', error instanceof Error ? error.message : String(error))
  }
}
