import type { Hazard } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { clockMinute } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { HazardLevel, sourceMarks } from './hazard-marks.tsx'
import { ProofMark } from './order-marks.tsx'

interface Listed {
  readonly hazards: readonly Hazard[]
  readonly open: number | null
  readonly onOpen: (hazardId: number) => void
}

/** Hazards as rows, the gravest first. Beside an open drawer only what tells them apart stays. */
export function HazardList({ hazards, isWaiting, open, onOpen }: Listed & { isWaiting: boolean }) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  return (
    <table className={isWaiting ? 'list-table order-list waiting' : 'list-table order-list'} aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('level')}</th>
          <th>{t('whatAndWhere')}</th>
          <th>{t('state')}</th>
          <th className="alone">{t('source')}</th>
          <th className="alone">{t('lastSeen')}</th>
          <th className="alone end">{t('count')}</th>
          <th className="alone">{t('orderOrProof')}</th>
        </tr>
      </thead>
      <tbody>
        {hazards.map((hazard) => (
          // The button in it does the same by keys; the row is only a larger place to press.
          <tr
            key={hazard.HazardID}
            className={hazard.HazardID === open ? 'opens chosen' : 'opens'}
            onClick={() => onOpen(hazard.HazardID)}
          >
            <td>
              <HazardLevel level={hazard.Level} />
            </td>
            <td className="what">
              <span className="two-lines">
                <button type="button" aria-expanded={hazard.HazardID === open}>
                  <Mark kind={sourceMarks[hazard.Source]} /> <b>{localised(hazard.Label)}</b>
                </button>
                <small>
                  <Place names={placeNames(hazard.Where)} between=" › " /> <LineTag lineId={hazard.LineID} />
                </small>
              </span>
            </td>
            <td>{t(`workOrders:hazards.${hazard.State}`)}</td>
            <td className="alone">{t(`sources.${hazard.Source}`)}</td>
            <td className="alone">{clockMinute(hazard.LastSeen)}</td>
            <td className="alone end">{hazard.Count}</td>
            <td className="alone">
              <SeenTo hazard={hazard} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same on a phone. */
export function HazardCards({ hazards, open, onOpen }: Listed) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  return (
    <ul className="order-cards">
      {hazards.map((hazard) => (
        <li
          key={hazard.HazardID}
          className={[
            ...['order-card', hazard.HazardID === open && 'chosen'],
            (hazard.State === 'gone' || hazard.State === 'accepted') && 'calm',
          ]
            .filter(Boolean)
            .join(' ')}
        >
          <div className="order-row">
            <span className="order-number">{t(`workOrders:hazards.${hazard.State}`)}</span>
            <span className="grow" />
            <HazardLevel level={hazard.Level} />
          </div>
          <h3>
            <button type="button" aria-expanded={hazard.HazardID === open} onClick={() => onOpen(hazard.HazardID)}>
              <Mark kind={sourceMarks[hazard.Source]} />
              <span>{localised(hazard.Label)}</span>
            </button>
          </h3>
          <p className="order-place">
            <Place names={placeNames(hazard.Where)} between=" › " /> <LineTag lineId={hazard.LineID} />
          </p>
          <p className="order-place">
            {[t(`sources.${hazard.Source}`), t('times', { count: hazard.Count }), clockMinute(hazard.LastSeen)].join(' · ')}
          </p>
          <div className="order-row foot">
            <SeenTo hazard={hazard} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Who sees to it, or how far it is proved to be gone by itself. */
function SeenTo({ hazard: { State, Order, RiskUntil, Verification } }: { hazard: Hazard }) {
  const { t } = useTranslation('hazards')
  if (State === 'accepted' && RiskUntil !== null) return <span>{t('acceptedUntil', { time: clockMinute(RiskUntil) })}</span>
  if (Order && (State === 'ordered' || State === 'verifying')) return <span>{Order.Number}</span>
  if (State !== 'gone' && Verification && Verification.State !== 'none') return <ProofMark verification={Verification} />
  return <span className="mute">{State === 'gone' ? (Order?.Number ?? '') : t('noOrder')}</span>
}
