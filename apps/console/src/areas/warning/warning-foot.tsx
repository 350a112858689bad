import type { Warning } from '@linewarden/contract'
import { unshelveEvents } from '@linewarden/contract'
import { isShelved, isUnacknowledged } from '@linewarden/rules/alarm'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { acknowledge } from '../alarm/unacknowledged.ts'
import { NormalDialog } from './normal-dialog.tsx'
import { ShelveDialog } from './shelve-dialog.tsx'

/** What can be done with a finding: seen, put off for a while, or called a normal change. */
export function WarningFoot({ warning }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const [asking, setAsking] = useState<'shelve' | 'normal' | null>(null)
  const [busy, setBusy] = useState(false)
  const mayEdit = useMayEdit()
  const mayShelve = useMayOpen(paths.alarms) && mayEdit
  const { Event, Evidence } = warning
  const isOver = Event.State === 'normal'
  if (!mayEdit || (isOver && asking === null)) return null
  const shelved = Event.Shelved !== null && isShelved(Event.Shelved.Until, serverNow())
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  return (
    <footer className="warning-foot">
      {isUnacknowledged(Event.State) && (
        <button type="button" className="btn large primary" disabled={busy} onClick={() => run(() => acknowledge([Event]))}>
          {t('acknowledge')}
        </button>
      )}
      {mayShelve &&
        (shelved ? (
          <button
            type="button"
            className="btn large"
            disabled={busy}
            onClick={() => run(() => callWithToast(change(unshelveEvents, { body: { EventIDs: [Event.EventID] } })))}
          >
            {t('unshelve')}
          </button>
        ) : (
          <button type="button" className="btn large" onClick={() => setAsking('shelve')}>
            <Icon name="clock" />
            {t('shelve')}
          </button>
        ))}
      {Evidence && Event.LineID !== null && (
        <button type="button" className="btn large" onClick={() => setAsking('normal')}>
          <Icon name="check" />
          {t('normalChange')}
        </button>
      )}
      {asking === 'shelve' && <ShelveDialog event={Event} onClose={() => setAsking(null)} />}
      {asking === 'normal' && <NormalDialog warning={warning} onClose={() => setAsking(null)} />}
    </footer>
  )
}
