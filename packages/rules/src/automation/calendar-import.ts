import type { CalendarDay, ClassOfDay, DayClass } from './calendar.ts'
import { createCalendar } from './calendar.ts'
import type { CivilDay } from './civil-time.ts'
import { dateText, parseDate } from './civil-time.ts'
import type { IcsContent, IcsProblemKey } from './ics.ts'

/** So many days at once: two years, one by one. */
export const maxImportDays = 800
/** No holiday lasts longer; a longer stretch is a mistyped year. */
export const maxImportSpan = 62
export const maxDayName = 32
const firstYear = '2000-01-01'
const lastYear = '2199-12-31'

/** One row of a table of days, as somebody wrote it. */
export interface CalendarRow {
  readonly row: number
  readonly from: string
  /** Empty: the one day. */
  readonly to: string
  readonly class: string
  readonly name: string
}

/** One stretch of days that an import names. */
export interface ImportedSpan {
  readonly row: number
  readonly from: CivilDay
  readonly to: CivilDay
  readonly class: DayClass
  readonly name: string
  /** Whether the source says the class; else it is what the person chose for such events. */
  readonly isMarked: boolean
}

export type ImportProblemKey =
  | IcsProblemKey
  | 'date missing'
  | 'class unknown'
  | 'name too long'
  | 'span too long'
  | 'date out of range'
  | 'date has two classes'
  | 'too many days'

export interface ImportProblem {
  readonly row: number
  readonly key: ImportProblemKey
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface ImportedDay extends Omit<CalendarDay, 'origin'> {
  readonly row: number
}

export interface ReadImport {
  /** By date. */
  readonly days: readonly ImportedDay[]
  readonly problems: readonly ImportProblem[]
}

/** What people write for a class, in either language and in the words of the holiday notices. */
const classWords: Readonly<Record<DayClass, readonly string[]>> = {
  workday: ['workday', 'working day', 'work', '工作日', '上班', '补班', '班', '调休上班'],
  restday: ['restday', 'rest day', 'rest', 'weekend', '休息日', '周末'],
  holiday: ['holiday', 'public holiday', '节假日', '法定节假日', '假日', '假期', '放假', '休'],
  special: ['special', 'special day', '特殊日'],
}

/** Days of a table. Dates are written year first, in digits; five digits are a date as spreadsheets count it. */
export function readCalendarRows(rows: readonly CalendarRow[]): ReadImport {
  const spans: ImportedSpan[] = []
  const problems: ImportProblem[] = []
  for (const { row, from: fromText, to: toText, class: classText, name } of rows) {
    const wrong = (key: ImportProblemKey, detail?: ImportProblem['detail']) =>
      problems.push({ row, key, ...(detail && { detail }) })
    const from = readDate(fromText)
    const to = toText.trim() === '' ? from : readDate(toText)
    const word = classText.trim().toLowerCase()
    const dayClass = (Object.keys(classWords) as DayClass[]).find((each) => classWords[each].includes(word))
    const called = name.replace(/\s+/g, ' ').trim()
    if (fromText.trim() === '') wrong('date missing')
    else if (from === null || to === null) wrong('date wrong')
    if (!dayClass) wrong('class unknown', { class: classText.trim() })
    if ([...called].length > maxDayName) wrong('name too long', { most: maxDayName })
    if (from === null || to === null || !dayClass || [...called].length > maxDayName) continue
    spans.push({ row, from, to, class: dayClass, name: called, isMarked: true })
  }
  return daysOfSpans(spans, problems)
}

/** Days of an iCalendar file. `plain` is the class of events that say nothing of it. */
export function readIcsDays({ events, problems }: IcsContent, plain: DayClass): ReadImport {
  const spans = events.map(({ row, from, to, name, mark }) => ({
    ...{ row, from, to },
    // Names of such files are written for people; the first letters of a long one still say which day it is.
    name: [...name].slice(0, maxDayName).join('').trim(),
    class: mark ?? plain,
    isMarked: mark !== null,
  }))
  return daysOfSpans(spans, problems)
}

function daysOfSpans(spans: readonly ImportedSpan[], before: readonly ImportProblem[]): ReadImport {
  const problems: ImportProblem[] = [...before]
  const days = new Map<CivilDay, ImportedSpan>()
  const [first, last] = [parseDate(firstYear) ?? 0, parseDate(lastYear) ?? 0]
  // What says its class goes first: a festival that only has a name is no second class of its day.
  for (const span of [...spans].sort((one, other) => Number(other.isMarked) - Number(one.isMarked))) {
    const { row, from, to } = span
    const wrong = (key: ImportProblemKey, detail?: ImportProblem['detail']) =>
      problems.push({ row, key, ...(detail && { detail }) })
    if (to < from) wrong('dates reversed')
    else if (to - from >= maxImportSpan) wrong('span too long', { most: maxImportSpan })
    else if (from < first || to > last) wrong('date out of range', { from: firstYear, to: lastYear })
    else {
      const clash = datesFrom(from, to).find((day) => isOtherClass(days.get(day), span))
      const added = datesFrom(from, to).filter((day) => !days.has(day))
      if (clash !== undefined) wrong('date has two classes', { date: dateText(clash), row: days.get(clash)?.row })
      else if (days.size + added.length > maxImportDays) wrong('too many days', { most: maxImportDays })
      else for (const day of added) days.set(day, span)
    }
  }
  return {
    days: [...days]
      .sort(([one], [other]) => one - other)
      .map(([day, { row, class: dayClass, name }]) => ({ row, date: dateText(day), class: dayClass, name })),
    problems: problems.sort((one, other) => one.row - other.row),
  }
}

const isOtherClass = (there: ImportedSpan | undefined, span: ImportedSpan): boolean =>
  there !== undefined && there.class !== span.class && (span.isMarked || !there.isMarked)

const datesFrom = (from: CivilDay, to: CivilDay): readonly CivilDay[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Day 0 of spreadsheets that count from 1900, for dates after February of that year. */
const sheetEpoch = -25_569

function readDate(text: string): CivilDay | null {
  const written = text.trim()
  if (/^\d{5}$/.test(written)) return Number(written) + sheetEpoch
  const [, year = '', month = '', day = ''] =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(written) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(written) ?? []
  return parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** What an imported day does to the calendar as it is. `kept`: a person entered another class, and that stays. */
export type ImportChange = 'new' | 'changed' | 'same' | 'kept'

export interface ComparedDay {
  readonly day: ImportedDay
  readonly before: ClassOfDay & { readonly origin: CalendarDay['origin'] | null }
  readonly change: ImportChange
}

/** An import against what the project has entered, what its owner has, and what comes with the product. `overEntered`: also over what people entered. */
export function compareImport(
  days: readonly ImportedDay[],
  entered: readonly CalendarDay[],
  bundle: readonly CalendarDay[],
  overEntered: boolean,
  ofOwner: readonly CalendarDay[] = [],
): readonly ComparedDay[] {
  const calendar = createCalendar({ project: entered, owner: ofOwner, bundle })
  const shown = new Map([...bundle, ...ofOwner, ...entered].map((day) => [day.date, day]))
  const known = new Map([...bundle, ...entered].map((day) => [day.date, day]))
  return days.map((day) => {
    const there = known.get(day.date)
    const before = { ...calendar.classOf(parseDate(day.date) ?? 0), origin: shown.get(day.date)?.origin ?? null }
    return { day, before, change: changeOf(day, there, overEntered) }
  })
}

function changeOf(day: ImportedDay, there: CalendarDay | undefined, overEntered: boolean): ImportChange {
  if (!there) return 'new'
  // A bundled day of the same class stays with the product, which may still correct it.
  const isAlike = there.class === day.class && (there.isPublic ?? false) === (day.isPublic ?? false)
  if (there.origin === 'bundle' ? there.class === day.class : isAlike && there.name === day.name) return 'same'
  if (there.origin === 'person' && !overEntered) return 'kept'
  return 'changed'
}
