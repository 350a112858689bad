import type { Text } from '@linewarden/equipment'
import type { Failure, Problem } from './envelope.ts'
import type { MessageKey } from './messages.ts'
import { messages, textOf } from './messages.ts'

/** A refusal people should read: a stable key of the message catalogue, with the facts its text speaks of. */
export class Refusal extends Error {
  readonly key: MessageKey
  readonly detail: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]

  constructor(key: MessageKey, detail: Readonly<Record<string, unknown>> = {}, problems: readonly Problem[] = []) {
    super(textOf(key, detail).en)
    this.name = 'Refusal'
    this.key = key
    this.detail = detail
    this.problems = problems
  }

  /** HTTP status of the reply. */
  get status(): number {
    return messages[this.key].status
  }

  /** The reply's body. */
  envelope(): Failure & { readonly Text: Text } {
    return {
      Code: 0,
      Message: this.key,
      Text: textOf(this.key, this.detail),
      ...(this.problems.length > 0 && { Problems: this.problems }),
      ...(Object.keys(this.detail).length > 0 && { Detail: this.detail }),
    }
  }
}
