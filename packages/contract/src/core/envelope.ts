import type { Text } from '@linewarden/equipment'
import type { MessageKey } from './messages.ts'

/** What is wrong with one field of a request, said so that a person can mend it. */
export interface Problem {
  /** Where: `body.Password`, `query.Page`, `header.Authorization`. */
  readonly Path: string
  readonly Text: Text
}

/** Every reply of the API. Code 1 is success; Code 0 carries a stable Message and its text in both languages. */
export interface Success<T> {
  readonly Code: 1
  readonly Message: string
  readonly Data?: T
  readonly Datas?: readonly T[]
  readonly Total?: number
  /** What is said of the whole list. */
  readonly About?: unknown
}

export interface Failure {
  readonly Code: 0
  /** A key of the message catalogue. */
  readonly Message: MessageKey
  /** Always there in what this server says; what stands in between may answer without it. */
  readonly Text?: Text
  readonly Problems?: readonly Problem[]
  /** Facts the text speaks of, e.g. `{ minutes: 15 }` or `{ blocks: [...] }`. */
  readonly Detail?: Readonly<Record<string, unknown>>
}

export type Envelope<T> = Success<T> | Failure
