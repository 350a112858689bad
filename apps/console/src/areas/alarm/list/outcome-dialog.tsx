import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../app/notify/toasts.tsx'
import { CloseFoot, Dialog } from '../../../ui/dialog.tsx'
import { localised } from '../../../ui/i18n.ts'
import { isolated } from '../../../ui/place.tsx'
import type { Result } from './acts.ts'
import { isAllDone, outcomes } from './acts.ts'

type Events = readonly EventRecord[]

/** What became of each of several events: counted, and by name what was not done. */
export function OutcomeDialog({ result, events, onClose }: { result: Result; events: Events; onClose: () => void }) {
  const { t } = useTranslation('alarmList')
  const names = new Map(events.map((event) => [event.EventID, `${localised(event.Label)} ${isolated(placeNames(event.Where))}`]))
  const total = [...result.counts.values()].reduce((sum, count) => sum + count, 0)
  return (
    <Dialog label={t('outcome')} onClose={onClose}>
      <h2>{t('outcome')}</h2>
      <div className="content outcomes">
        {outcomes.map((outcome) => {
          const count = result.counts.get(outcome) ?? 0
          const named = result.named.filter((each) => each.Outcome === outcome)
          const isDone = outcome === 'acknowledged' || outcome === 'shelved' || outcome === 'unshelved'
          return (
            count > 0 && (
              <section key={outcome}>
                <b>{t(`done.${outcome}`, { count })}</b>
                {!isDone && (
                  <ul>
                    {named.map(({ EventID }) => (
                      <li key={EventID}>{names.get(EventID) ?? t('unnamed', { id: EventID })}</li>
                    ))}
                    {named.length < count && <li className="mute">{t('outcomeRest', { count: count - named.length })}</li>}
                  </ul>
                )}
              </section>
            )
          )
        })}
        {total === 0 && <p>{t('done.already', { count: 0 })}</p>}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}

/** Says in a word what was done; answers whether there is more to say, for which there is the dialog. */
export function useBriefResult(): (result: Result) => boolean {
  const { t } = useTranslation('alarmList')
  return (result) => {
    if (!isAllDone(result) || result.counts.size === 0) return false
    toast('info', [...result.counts].map(([outcome, count]) => t(`done.${outcome}`, { count })).join(' '))
    return true
  }
}
