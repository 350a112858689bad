import { inBoth } from '../../../ui/in-both.ts'

/** The line above every page while timers are late. They come with it. */
export const lateTexts = inBoth(
  {
    late: '{{count}} 个定时到点未处理。',
    since: '最早的已迟 {{span}}。',
    what: '合闸迟 5 秒、分闸迟 60 秒即不再补做；请人工检查应分、应合的线路。',
    show: '查看定时',
  },
  {
    late: '{{count}} timers are due and not processed.',
    late_one: '{{count}} timer is due and not processed.',
    since: 'The first is {{span}} late.',
    what: 'Closes later than 5 s and trips later than 60 s are not made up for: check by hand the lines that should be open or closed.',
    show: 'Show timers',
  },
)
