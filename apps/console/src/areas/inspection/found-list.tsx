import type { InspectionRound } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { orderDetails, paths } from '../../paths.ts'
import { clockMinute } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { DefectOrderDialog } from './defect-order-dialog.tsx'
import { rangeText } from './item-words.ts'
import { PhotoStrip } from './photo-strip.tsx'
import type { Found } from './round-facts.ts'

/** Defects, what could not be checked, and what two phones answered differently: each with its place, its words, its photos and what follows. */
export function FoundList({ round, found }: { round: InspectionRound; found: readonly Found[] }) {
  const [ordering, setOrdering] = useState<Found | null>(null)
  return (
    <>
      <ul className="found">
        {found.map((each) => (
          <One
            key={`${each.stop.StopID} ${each.item.ItemID} ${each.answer.PhoneID} ${each.answer.Rev}`}
            round={round}
            found={each}
            onOrder={() => setOrdering(each)}
          />
        ))}
      </ul>
      {ordering && <DefectOrderDialog round={round} found={ordering} onClose={() => setOrdering(null)} />}
    </>
  )
}

function One({ round, found: { stop, item, answer }, onOrder }: { round: InspectionRound; found: Found; onOrder: () => void }) {
  const { t } = useTranslation('inspection')
  const mayEdit = useMayEdit()
  const mayOrder = useMayOpen(paths.workOrders) && mayEdit
  const choice = item.Choices.find(({ Choice }) => Choice === answer.Choice)
  const value = answer.Value === null ? '' : `${answer.Value} ${item.Unit}`.trim()
  const range = rangeText(item)
  return (
    <li>
      <PhotoStrip roundId={round.RoundID} hashes={answer.Photos} missing={answer.MissingPhotos} />
      <div>
        <b>{answer.Result === 'impossible' ? t('couldNot', { item: localised(item.Text) }) : localised(item.Text)}</b>
        <small>
          {[
            t('stopNo', { count: stop.StopID }),
            stop.Name,
            stop.Arrived
              ? `${t(`ways.${stop.Arrived.How}`)} ${clockMinute(stop.Arrived.ServerTime)}${stop.Arrived.Reason === '' ? '' : t('because', { reason: stop.Arrived.Reason })}`
              : '',
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </small>
        {value !== '' && <p>{range === '' ? value : t('valueOf', { value, range })}</p>}
        {choice && <p>{localised(choice.Text)}</p>}
        {answer.Note !== '' && <p>{answer.Note}</p>}
        {answer.Flagged && (
          <p className="mute">
            {t('flaggedOne', { person: answer.Person, result: t(`results.${answer.Result}`) })}
            {answer.Counts && ` · ${t('counts1')}`}
          </p>
        )}
        <div className="go">
          {answer.Result === 'defect' && (
            <span className="hazard-level">
              <Mark kind="warning" size={12} />
              {t('hazardLevel', { level: t(`levels.${answer.Level ?? 'medium'}`) })}
            </span>
          )}
          {answer.OrderID !== null ? (
            <Link className="order-link" to={orderDetails(answer.OrderID)}>
              <Mark kind="order" size={12} />
              {t('order')}
            </Link>
          ) : (
            answer.Result === 'defect' &&
            answer.Counts &&
            mayOrder && (
              <button type="button" className="btn small" onClick={onOrder}>
                {t('makeOrder')}
              </button>
            )
          )}
          {answer.Result === 'impossible' && <span className="mute">{t('notNormal')}</span>}
        </div>
      </div>
    </li>
  )
}
