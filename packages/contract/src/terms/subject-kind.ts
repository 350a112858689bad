import type { Text } from '@linewarden/equipment'

/** How the id of a thing is written in the audit log. */
interface IdShapes {
  /** The number that the database gave it. */
  readonly number: `${number}` | `${bigint}`
  /** `{ControllerID}/{LineNo}`. */
  readonly line: `${string}/${number}`
  /** `{HouseID}/{PushID}`. */
  readonly push: `${number}/${number}`
  /** What stands on it, what it is called, or an id that its caller made. */
  readonly name: string
}

export interface SubjectKindData {
  readonly label: Text
  readonly id: keyof IdShapes
  /** Its label stands before its id, because the id alone says nothing to people. */
  readonly labelled?: true
}

export type IdOf<K extends SubjectKindData> = IdShapes[K['id']]

/** A kind of thing that the log tells of. */
/* @__NO_SIDE_EFFECTS__ */
export const kind = <const I extends keyof IdShapes>(zh: string, en: string, id: I) => ({ label: { zh, en }, id }) as const

/** The same of one that is known by a number of the database. */
/* @__NO_SIDE_EFFECTS__ */
export const numbered = (zh: string, en: string) => ({ ...kind(zh, en, 'number'), labelled: true }) as const
