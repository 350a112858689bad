import { useTranslation } from 'react-i18next'
import type { Doubts } from './doubts.ts'
import { barPath, isDoubtful } from './doubts.ts'
import './doubt-bars.css'

/** What the bars above doubtful readings mean; only those that are drawn. */
export function DoubtsLegend({ late, clock }: Doubts) {
  const { t } = useTranslation('monitor')
  if (!isDoubtful({ late, clock })) return null
  return (
    <ul className="doubts">
      {late.length > 0 && (
        <li>
          <i className="late" />
          {t('late')}
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
export const barsHeight = (doubts: Doubts): number => (isDoubtful(doubts) ? 9 : 0)

/** The bars, above a drawing whose top is 0. */
export function DoubtBars({ doubts: { late, clock }, x }: { doubts: Doubts; x: (at: number) => number }) {
  return (
    <>
      {late.length > 0 && <path className="doubt late" d={barPath(late, x, -7)} />}
      {clock.length > 0 && <path className="doubt clock" d={barPath(clock, x, -3)} />}
    </>
  )
}
