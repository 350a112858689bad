import { useTranslation } from 'react-i18next'
import type { QualityMarks } from './quality-marks.ts'
import { barPath, isUncertain } from './quality-marks.ts'
import './quality-bars.css'

/** What the bars above uncertain readings mean; only those that are drawn. */
export function QualityLegend({ late, clock }: QualityMarks) {
  const { t } = useTranslation(['monitor', 'app'])
  if (!isUncertain({ late, clock })) return null
  return (
    <ul className="doubts">
      {late.length > 0 && (
        <li>
          <i className="late" />
          {t('app:backFilled')}
        </li>
      )}
      {clock.length > 0 && (
        <li>
          <i className="clock" />
          {t('clockDoubtful')}
        </li>
      )}
    </ul>
  )
}

/** Room that the bars take above a drawing, in its units. */
export const barsHeight = (qualityMarks: QualityMarks): number => (isUncertain(qualityMarks) ? 9 : 0)

/** The bars, above a drawing whose top is 0. */
export function QualityBars({ qualityMarks: { late, clock }, x }: { qualityMarks: QualityMarks; x: (at: number) => number }) {
  return (
    <>
      {late.length > 0 && <path className="doubt late" d={barPath(late, x, -7)} />}
      {clock.length > 0 && <path className="doubt clock" d={barPath(clock, x, -3)} />}
    </>
  )
}
