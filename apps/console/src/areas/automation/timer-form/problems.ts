import { CallError } from '@linewarden/client'
import type { previewTimer, Reply } from '@linewarden/contract'
import { localised } from '../../../ui/i18n.ts'
import type { FormValues } from './form-values.ts'

type Preview = Reply<typeof previewTimer>

/** What is wrong, by the path of its field on the wire: `Points.1.At`. */
export type ProblemsByField = ReadonlyMap<string, string>

/** What is not filled in yet is no mistake before somebody wants to save. */
const missing: ReadonlySet<string> = new Set([
  'name missing',
  'function missing',
  'type missing',
  'time missing',
  'period missing',
  'device missing',
  'scene missing',
])

const fieldOf = (path: string): string => path.replace(/^body\.?/, '')

/** Problems that are shown now. `all`: somebody has tried to save. */
export function problemsShown({ Problems }: Pick<Preview, 'Problems'>, values: FormValues, all: boolean): ProblemsByField {
  const found = new Map<string, string>()
  for (const { Path, Key, Text } of Problems) {
    const field = fieldOf(Path)
    if (!all && (missing.has(Key) || isEmpty(field, values))) continue
    if (!found.has(field)) found.set(field, localised(Text))
  }
  return found
}

/** A field of which nothing was typed yet. */
function isEmpty(field: string, values: FormValues): boolean {
  const [part, index = '', ofException, inner = ''] = field.split('.')
  const at = Number(index)
  if (field === 'Period.Date') return values.date.trim() === ''
  if (part === 'Points') return isUntyped(values.points, at)
  if (part !== 'Exceptions') return false
  const exception = values.exceptions[at]
  if (ofException === 'Do') return isUntyped(exception?.points ?? [], Number(inner))
  return exception?.from.trim() === ''
}

const isUntyped = (points: FormValues['points'], at: number): boolean => {
  const point = points[at]
  if (point?.by !== 'clock') return false
  // Two that are both empty are not yet the same time.
  return point.at.trim() === ''
}

/** What the server refused of a form that was sent, by field; what belongs to none is its message. */
export function problemsRefused(error: unknown): ProblemsByField {
  const given = error instanceof CallError && error.problem.kind === 'refusal' ? (error.problem.failure.Problems ?? []) : []
  return new Map(given.map(({ Path, Text }) => [fieldOf(Path), localised(Text)]))
}

/** The first problem of a field, or of anything within it. */
export function problemIn(problems: ProblemsByField, field: string): string | null {
  const own = problems.get(field)
  if (own !== undefined) return own
  for (const [path, text] of problems) if (path.startsWith(`${field}.`)) return text
  return null
}

/** What is wrong and belongs to no row of the form, as that the project has as many timers as it may. */
export const problemsOfNoRow = (problems: ProblemsByField): readonly string[] =>
  [...problems].flatMap(([field, text]) => (rows.test(field) ? [] : text))

const rows = /^(Name|Function|Type|Period|Points|Exceptions|Lines|SceneID)(\.|$)/

type Conflict = Preview['Conflicts'][number]

/** The conflicts that a reason is needed for, as one text: another one is another question. */
export const fightsOf = (conflicts: readonly Conflict[]): string =>
  [
    ...new Set(
      conflicts
        .filter(({ Effect }) => Effect === 'confirm')
        .map(({ TimerID, Line }) => `${TimerID}|${Line?.ControllerID}|${Line?.LineNo}`),
    ),
  ]
    .toSorted()
    .join(' ')
