import type { importCalendar, Problem, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { CalendarDay, ImportedDay, ImportProblem, ImportProblemKey, ReadImport } from '@linewarden/rules/automation'
import { bundledDays, compareImport, isPublicClass, parseIcs, readCalendarRows, readIcsDays } from '@linewarden/rules/automation'

type Imported = Reply<typeof importCalendar>

/** What is wrong with a row of a calendar file. */
const texts: Readonly<Record<ImportProblemKey, Text>> = {
  'event timed': { zh: '不是全天日程', en: 'It is no all-day event' },
  'event repeats': { zh: '重复日程：请导出具体日期', en: 'It recurs: export the dates one by one' },
  'event cancelled': { zh: '日程已取消', en: 'It is cancelled' },
  'date missing': { zh: '未填写日期', en: 'The date is empty' },
  'date wrong': {
    zh: '日期不存在，或写法不对（应为 2027-01-01）',
    en: 'There is no such date, or it is not written as 2027-01-01',
  },
  'dates reversed': { zh: '结束日期早于开始日期', en: 'The last date is before the first' },
  'date out of range': { zh: '日期应在 {from} 至 {to} 之间', en: 'Dates must lie between {from} and {to}' },
  'date has two classes': { zh: '{date} 已在第 {row} 行归为另一类', en: '{date} has another class in row {row}' },
  'span too long': { zh: '一次最多连续 {most} 天', en: 'At most {most} days in a row' },
  'class unknown': {
    zh: '类别“{class}”不明：应为工作日、休息日、节假日或特殊日',
    en: 'The class "{class}" is unknown: it is workday, restday, holiday or special',
  },
  'name too long': { zh: '名称最多 {most} 个字', en: 'The name has at most {most} characters' },
  'too many days': { zh: '一次最多导入 {most} 天', en: 'At most {most} days at once' },
}

/** The days of a request, and what in it is none. */
export function importedDays({ Ics, Rows, PlainClass = 'holiday' }: Request<typeof importCalendar>['body']): ReadImport {
  if ((Ics === undefined) === (Rows === undefined)) throw new Refusal('calendar file wrong')
  if (Rows)
    return readCalendarRows(
      Rows.map(({ Row, From, To = '', Class, Name = '' }) => ({ row: Row, from: From, to: To, class: Class, name: Name })),
    )
  const content = parseIcs(Ics ?? '')
  if (!content) throw new Refusal('calendar file wrong')
  return readIcsDays(content, PlainClass)
}

/** The days as whoever imports them sees them, against what is there. */
export const compared =
  (
    days: readonly ImportedDay[],
    timeZone: string,
    { overEntered, isPublic }: { readonly overEntered: boolean; readonly isPublic: boolean },
    ofOwner: readonly CalendarDay[],
  ) =>
  (entered: readonly CalendarDay[]): Imported['Days'] =>
    compareImport(
      isPublic ? days.map((day) => ({ ...day, isPublic: isPublicClass(day.class) })) : days,
      entered,
      bundledDays(timeZone),
      overEntered,
      ofOwner,
    ).map(({ day, before, change }) => ({
      ...{ Row: day.row, Date: day.date, Class: day.class, Name: day.name, Change: change },
      Before: { Class: before.class, Name: before.name, Origin: before.origin },
    }))

export const problemRecords = (problems: readonly ImportProblem[]): Imported['Problems'] =>
  problems.map(({ row, key, detail = {} }) => ({ Row: row, Key: key, Text: filled(texts[key], detail) }))

function filled({ zh, en }: Text, detail: Readonly<Record<string, unknown>>): Text {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(detail[name] ?? whole))
  return { zh: fill(zh), en: fill(en) }
}

/** Nothing is stored of a file in which something is wrong, unless the person leaves it out. */
export function refuseWrongRows(problems: Imported['Problems']): void {
  if (problems.length === 0) return
  const named = problems.map(({ Row, Text }): Problem => ({ Path: `row ${Row}`, Text }))
  throw new Refusal('calendar rows wrong', { count: problems.length }, named)
}
