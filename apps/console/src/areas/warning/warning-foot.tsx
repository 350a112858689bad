import type { Warning } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { useByNow } from '../../ui/use-now.ts'
import type { Result } from '../alarm/list/acts.ts'
import { isOnShelf, unshelveAll } from '../alarm/list/acts.ts'
import { OutcomeDialog, useBriefResult } from '../alarm/list/outcome-dialog.tsx'
import { ShelveDialog } from '../alarm/list/shelve-dialog.tsx'
import { acknowledge } from '../alarm/unacknowledged.ts'
import { NormalDialog } from './normal-dialog.tsx'

/** What can be done with a finding: seen, put off for a while, or called a normal change. */
export function WarningFoot({ warning }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const { Event } = warning
  const [asking, setAsking] = useState<'shelve' | 'normal' | null>(null)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const isShownBriefly = useBriefResult()
  const mayEdit = useMayEdit()
  const mayShelve = useMayOpen(paths.alarms) && mayEdit
  const onShelf = useByNow((now) => isOnShelf(Event, now))
  if (!mayEdit || (Event.State === 'normal' && asking === null)) return null
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  return (
    <footer className="drawer-foot warning-foot">
      {isUnacknowledged(Event.State) && (
        <button type="button" className="btn large primary" disabled={busy} onClick={() => run(() => acknowledge([Event]))}>
          {t('acknowledge')}
        </button>
      )}
      {mayShelve &&
        (onShelf ? (
          <button
            type="button"
            className="btn large"
            disabled={busy}
            onClick={() => run(() => callWithToast(unshelveAll([Event])))}
          >
            {t('unshelve')}
          </button>
        ) : (
          <button type="button" className="btn large" onClick={() => setAsking('shelve')}>
            <Icon name="clock" />
            {t('shelve')}
          </button>
        ))}
      {Event.LineID !== null && (
        <button type="button" className="btn large" onClick={() => setAsking('normal')}>
          <Icon name="check" />
          {t('normalChange')}
        </button>
      )}
      {asking === 'shelve' && (
        <ShelveDialog
          events={[Event]}
          onDone={(done) => !isShownBriefly(done) && setResult(done)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'normal' && <NormalDialog warning={warning} onClose={() => setAsking(null)} />}
      {result && <OutcomeDialog result={result} events={[Event]} onClose={() => setResult(null)} />}
    </footer>
  )
}
