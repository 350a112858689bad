import i18next from 'i18next'

/** A share as a percentage; null is a dash. What there is a little of is not nothing. */
export const percent = (share: number | null, digits = 1): string =>
  share === null ? '–' : share > 0 && share < 0.000_5 && digits > 0 ? '< 0.1%' : `${(share * 100).toFixed(digits)}%`

/** How much more or less than before, with its sign. */
export const changePercent = (change: number): string => `${change > 0 ? '+' : change < 0 ? '−' : ''}${percent(Math.abs(change))}`

/** A number of events, with its thousands apart. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** A time in words, to the minute from one minute on. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return i18next.t('analysis:secondsOnly', { seconds })
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return i18next.t('analysis:minutes', { minutes })
  if (minutes >= 48 * 60) return i18next.t('analysis:days', { days: (minutes / 1_440).toFixed(1) })
  const rest = minutes % 60
  return i18next.t(rest === 0 ? 'analysis:hoursOnly' : 'analysis:minutesHours', {
    hours: Math.floor(minutes / 60),
    minutes: rest,
  })
}

/** Of seconds; null is a dash. */
export const seconds = (value: number | null): string => (value === null ? '–' : duration(value * 1000))

/** Month and day. */
export const shortDay = (day: string): string => day.slice(5)
