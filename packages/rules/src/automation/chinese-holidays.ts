import type { CalendarDay } from './calendar.ts'
import { dateText, parseDate } from './civil-time.ts'

/** One holiday of the State Council's arrangement: the days off from first to last, and the weekend days that are worked instead. */
interface Holiday {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly workdays: readonly string[]
}

const holiday = (name: string, from: string, to: string, ...workdays: string[]): Holiday => ({ name, from, to, workdays })

/** 国务院办公厅关于部分节假日安排的通知, by year. A year is added when its notice is published, in November of the year before. */
const arrangements: readonly Holiday[] = [
  // 国办发明电〔2024〕12号
  holiday('元旦', '2025-01-01', '2025-01-01'),
  holiday('春节', '2025-01-28', '2025-02-04', '2025-01-26', '2025-02-08'),
  holiday('清明节', '2025-04-04', '2025-04-06'),
  holiday('劳动节', '2025-05-01', '2025-05-05', '2025-04-27'),
  holiday('端午节', '2025-05-31', '2025-06-02'),
  holiday('国庆节、中秋节', '2025-10-01', '2025-10-08', '2025-09-28', '2025-10-11'),
  // 国办发明电〔2025〕7号
  holiday('元旦', '2026-01-01', '2026-01-03', '2026-01-04'),
  holiday('春节', '2026-02-15', '2026-02-23', '2026-02-14', '2026-02-28'),
  holiday('清明节', '2026-04-04', '2026-04-06'),
  holiday('劳动节', '2026-05-01', '2026-05-05', '2026-05-09'),
  holiday('端午节', '2026-06-19', '2026-06-21'),
  holiday('中秋节', '2026-09-25', '2026-09-27'),
  holiday('国庆节', '2026-10-01', '2026-10-07', '2026-09-20', '2026-10-10'),
]

const chineseZones: ReadonlySet<string> = new Set([
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Chongqing',
  'Asia/Harbin',
  'Asia/Kashgar',
  'PRC',
])

/** The holidays and make-up workdays that come with the product for projects of a zone; none outside mainland China. */
export const bundledDays = (timeZone: string): readonly CalendarDay[] => (chineseZones.has(timeZone) ? chineseDays : [])

const chineseDays: readonly CalendarDay[] = arrangements.flatMap(({ name, from, to, workdays }) => [
  ...datesFrom(from, to).map((date): CalendarDay => ({ date, class: 'holiday', name, origin: 'bundle' })),
  ...workdays.map((date): CalendarDay => ({ date, class: 'workday', name: `${name}调休上班`, origin: 'bundle' })),
])

function datesFrom(from: string, to: string): readonly string[] {
  const [first, last] = [parseDate(from) ?? 0, parseDate(to) ?? -1]
  return Array.from({ length: last - first + 1 }, (_, index) => dateText(first + index))
}
