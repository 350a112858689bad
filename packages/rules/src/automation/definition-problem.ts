/** Keys of what can be wrong with a definition that a person wants to save; each has a text in both languages where it is shown. */
export const definitionProblemKeys = [
  'name missing',
  'name too long',
  'function missing',
  'type missing',
  'time missing',
  'period missing',
  'device missing',
  'scene missing',
  'condition missing',
  'action missing',
  'time wrong',
  'date wrong',
  'dates reversed',
  'dates overlap',
  'number out of range',
  'listed twice',
  'public day wrong',
  'too many',
  'timer past',
  'timer points clash',
  'position missing',
  'device not exists',
  'line not in project',
  'action unknown',
  'point unknown',
  'scene not exists',
  'scene seen in part',
  'scene disabled',
  'linkage loop',
  'linkage may not close',
] as const
export type DefinitionProblemKey = (typeof definitionProblemKeys)[number]

/** One thing that is wrong: the message, the field by its path on the wire (`Points.1.At`; null: the whole), and the facts of the message. */
export interface DefinitionProblem {
  readonly key: DefinitionProblemKey
  readonly field: string | null
  readonly detail?: Readonly<Record<string, unknown>>
}

export const maxNameLength = 32

/** What is wrong with a name; counted as people count characters. */
export function nameProblems(name: string): readonly DefinitionProblem[] {
  const trimmed = name.trim()
  if (trimmed === '') return [{ key: 'name missing', field: 'Name' }]
  return [...trimmed].length > maxNameLength ? [{ key: 'name too long', field: 'Name', detail: { most: maxNameLength } }] : []
}

export function rangeProblems(field: string, value: number, from: number, to: number): readonly DefinitionProblem[] {
  const isFit = Number.isFinite(value) && value >= from && value <= to
  return isFit ? [] : [{ key: 'number out of range', field, detail: { from, to } }]
}

export const tooMany = (field: string, what: string, count: number, most: number): readonly DefinitionProblem[] =>
  count > most ? [{ key: 'too many', field, detail: { what, most } }] : []

/** What is known of a line that a definition names. Null: it is not there, or whoever saves may not see it; both read the same. */
export interface NamedLine {
  readonly inProject: boolean
  readonly actions: readonly string[]
}

/** What is wrong with one line and what is to be done to it. */
export function lineProblems(field: string, line: NamedLine | null, action: string | null): readonly DefinitionProblem[] {
  if (!line) return [{ key: 'device not exists', field }]
  if (!line.inProject) return [{ key: 'line not in project', field }]
  return action !== null && !line.actions.includes(action) ? [{ key: 'action unknown', field, detail: { action } }] : []
}
