import type { HealthCheckLine } from '@linewarden/contract'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LineCosts } from './line-costs.tsx'
import { LineDeductions } from './line-deductions.tsx'
import { BandMark, ScoreBar } from './score-marks.tsx'
import { signed } from './words.ts'

interface Props {
  readonly lines: readonly HealthCheckLine[]
  readonly houseId: number
  readonly open: number | null
  readonly isWaiting: boolean
  readonly onOpen: (lineId: number | null) => void
}

const columns = 8

/** Lines as rows; the open one says below it what it lost its points by. */
export function LineRows({ lines, houseId, open, isWaiting, onOpen }: Props) {
  const { t } = useTranslation('healthCheck')
  return (
    <table className={isWaiting ? 'list-table health-lines waiting' : 'list-table health-lines'} aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('line')}</th>
          <th className="end">{t('points')}</th>
          <th>{t('scale')}</th>
          <th>{t('band')}</th>
          <th>{t('coverage')}</th>
          <th className="end">{t('sinceBefore')}</th>
          <th colSpan={2}>{t('mainCosts')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const isOpen = line.LineID === open
          return (
            <Fragment key={line.LineID}>
              {/* The button in it does the same by keys; the row is only a larger place to press. */}
              <tr className={isOpen ? 'opens chosen' : 'opens'} onClick={() => onOpen(isOpen ? null : line.LineID)}>
                <td className="what">
                  <span className="two-lines">
                    <button type="button" aria-expanded={isOpen}>
                      <b>{line.LineName}</b>
                    </button>
                    <small>
                      {placeOf(line)} <LineTag lineId={line.LineID} />
                    </small>
                  </span>
                </td>
                <td className="end">
                  <b className="line-score">{line.Score ?? '–'}</b>
                </td>
                <td>
                  <ScoreBar score={line.Score} />
                </td>
                <td>
                  <BandMark band={line.Band} />
                </td>
                <td>
                  <Coverage line={line} />
                </td>
                <td className="end">
                  <Change line={line} />
                </td>
                <td className="costs">
                  <LineCosts line={line} />
                </td>
                <td className="end">
                  <Icon name={isOpen ? 'down' : 'right'} />
                </td>
              </tr>
              {isOpen && (
                <tr className="opened">
                  <td colSpan={columns}>
                    <LineDeductions line={line} houseId={houseId} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

/** The same on a phone. */
export function LineCards({ lines, houseId, open, onOpen }: Omit<Props, 'isWaiting'>) {
  return (
    <ul className="health-cards">
      {lines.map((line) => {
        const isOpen = line.LineID === open
        return (
          <li key={line.LineID}>
            <button type="button" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? null : line.LineID)}>
              <span className="two-lines">
                <b>{line.LineName}</b>
                <small>
                  {placeOf(line)} <LineTag lineId={line.LineID} />
                </small>
              </span>
              <b className="line-score">{line.Score ?? '–'}</b>
              <BandMark band={line.Band} />
              <Change line={line} />
            </button>
            <p>
              <Coverage line={line} />
            </p>
            {!isOpen && (
              <p className="costs">
                <LineCosts line={line} />
              </p>
            )}
            {isOpen && <LineDeductions line={line} houseId={houseId} />}
          </li>
        )
      })}
    </ul>
  )
}

const placeOf = ({ GatewayName, LineNo }: HealthCheckLine): string => (LineNo > 0 ? `${GatewayName} · ${LineNo}` : GatewayName)

function Coverage({ line: { Score, Coverage } }: { line: HealthCheckLine }) {
  const { t } = useTranslation('healthCheck')
  if (Score !== null && Coverage < 100) return <b>{t('scoreExamined', { score: Score, percent: Coverage })}</b>
  return <span className="mute">{t('examined', { percent: Coverage })}</span>
}

function Change({ line: { Score, BeforeScore } }: { line: HealthCheckLine }) {
  if (Score === null || BeforeScore === null) return <span className="mute">–</span>
  const change = Score - BeforeScore
  return change < 0 ? <b>{signed(change)}</b> : <span className={change === 0 ? 'mute' : ''}>{signed(change)}</span>
}
