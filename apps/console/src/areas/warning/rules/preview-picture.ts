import type { WarningRulePreview } from '@linewarden/contract'
import { scaleUpTo } from '../charts/scale.ts'

type Day = WarningRulePreview['PerDay'][number]

const margin = { left: 22, right: 4, top: 10, bottom: 22 }
/** Share of a day's width that its bar takes. */
const barShare = 0.64

/** Where the bars stand: what both rules raise below, what only one of them would on top; days of which nothing is known apart. */
export function previewPicture(days: readonly Day[], width: number, height: number) {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const pitch = (right - left) / Math.max(1, days.length)
  const most = Math.max(2, ...days.map(({ New, Present, Both }) => New + Present - Both))
  const y = scaleUpTo(most, bottom, margin.top, Math.min(4, most))
  const bars = days.map((day, index) => {
    const onlyNew = day.New - day.Both
    const onlyPresent = day.Present - day.Both
    return {
      day: day.Day,
      known: day.Evaluated > 0,
      x: left + index * pitch + (pitch * (1 - barShare)) / 2,
      width: pitch * barShare,
      left: left + index * pitch,
      pitch,
      both: { y: y.at(day.Both), height: bottom - y.at(day.Both) },
      more: { count: onlyNew, y: y.at(day.Both + onlyNew), height: y.at(day.Both) - y.at(day.Both + onlyNew) },
      fewer: {
        count: onlyPresent,
        y: y.at(day.Both + onlyNew + onlyPresent),
        height: y.at(day.Both + onlyNew) - y.at(day.Both + onlyNew + onlyPresent),
      },
    }
  })
  const apart = Math.max(1, Math.ceil(days.length / Math.max(2, (right - left) / 72)))
  const dates = bars.filter((_, index) => (days.length - 1 - index) % apart === 0)
  return { left, right, bottom, top: margin.top, y: { ...y, ticks: y.ticks.filter(Number.isInteger) }, bars, dates }
}
