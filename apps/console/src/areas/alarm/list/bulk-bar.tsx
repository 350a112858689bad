import type { EventRecord } from '@linewarden/contract'
import { maxShelved } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useSession } from '../../../app/session/session.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import '../../../ui/query-table.css'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import type { Result } from './acts.ts'
import { acknowledgeAll, againstShelving, isOnShelf, unshelveAll, waits } from './acts.ts'
import { OutcomeDialog, useBriefResult } from './outcome-dialog.tsx'
import { ShelveDialog } from './shelve-dialog.tsx'

type Events = readonly EventRecord[]

/** What can be done with the chosen events; what became of each is said. */
export function BulkBar({ events, onClear, onDone }: { events: Events; onClear: () => void; onDone: () => void }) {
  const { t } = useTranslation('alarmList')
  const mayEdit = useMayEdit()
  const administrator = useSession(({ user }) => user?.Roles.IsAdministrators === true)
  const [busy, setBusy] = useState(false)
  const [shelving, setShelving] = useState<Events | null>(null)
  const [shown, setShown] = useState<{ readonly result: Result; readonly events: Events } | null>(null)
  const isShownBriefly = useBriefResult()
  const now = serverNow()
  const waiting = events.filter(waits)
  const onShelf = events.filter((event) => isOnShelf(event, now))
  const refusals = events.map((event) => againstShelving(event, administrator, now))
  const dangers = refusals.filter((each) => each === 'danger').length
  const finish = (result: Result, of: Events) => {
    if (!isShownBriefly(result)) setShown({ result, events: of })
    onClear()
    onDone()
  }
  const run = async (act: (events: Events) => Promise<Result>, of: Events) => {
    setBusy(true)
    const done = await callWithToast(act(of))
    setBusy(false)
    if (done) finish(done.reply, of)
  }
  const tooMany = (of: Events) => (of.length > maxShelved ? t('tooMany', { count: maxShelved }) : null)
  return (
    <>
      <SelectionBar keys={new Set(events.map(({ EventID }) => EventID))} onClear={onClear}>
        {mayEdit && (
          <>
            <ReasonedButton
              className="btn primary"
              aria-busy={busy}
              reason={waiting.length === 0 ? t('noneWaits') : null}
              onClick={() => !busy && void run(acknowledgeAll, waiting)}
            >
              {t('acknowledge')}
            </ReasonedButton>
            <ReasonedButton
              className="btn"
              reason={tooMany(events) ?? (refusals.every((each) => each !== null) ? t('noneToShelve') : null)}
              onClick={() => setShelving(events)}
            >
              {t('shelve')}
            </ReasonedButton>
            {onShelf.length > 0 && (
              <ReasonedButton
                className="btn"
                aria-busy={busy}
                reason={tooMany(onShelf)}
                onClick={() => !busy && void run(unshelveAll, onShelf)}
              >
                {t('unshelve')}
              </ReasonedButton>
            )}
            {dangers > 0 && <span className="mute">{t('skipped', { count: dangers })}</span>}
          </>
        )}
      </SelectionBar>
      {shelving && (
        <ShelveDialog events={shelving} onDone={(result) => finish(result, shelving)} onClose={() => setShelving(null)} />
      )}
      {shown && <OutcomeDialog {...shown} onClose={() => setShown(null)} />}
    </>
  )
}
