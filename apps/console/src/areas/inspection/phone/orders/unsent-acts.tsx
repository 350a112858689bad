import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../../app/net/call-with-toast.ts'
import type { Entry } from '../../../../app/offline/entry.ts'
import { useKept } from '../../../../app/offline/kept.ts'
import { tryAgain } from '../../../../app/offline/outbox.ts'
import { clockMinute } from '../../../../ui/format.ts'
import { localised } from '../../../../ui/i18n.ts'
import { byServer } from '../../../../ui/use-now.ts'
import { GiveUpButton } from '../give-up-button.tsx'
import { useAway } from '../phone-screen.tsx'
import { actAgain } from './order-acts.ts'
import type { OrderEntry } from './order-entries.ts'
import { isAct, orderThing } from './order-entries.ts'

/** What this phone has done that the server did not take, or does not know. Nothing here is the state of the order. */
export function UnsentActs({ orderId }: { orderId: number }) {
  const { t } = useTranslation(['phoneOrders', 'phoneRounds'])
  const entries = useKept((all) => all.entries)
  const own = entries.filter(({ thing }) => thing === orderThing(orderId)).toSorted((one, other) => one.seq - other.seq)
  const refused = own.filter(({ state }) => state === 'refused')
  const waiting = own.filter(({ state }) => state === 'waiting')
  const acts = waiting.filter(isAct)
  const photos = waiting.length - acts.length
  return (
    <>
      {refused.length > 0 && (
        <section aria-label={t('notTaken')}>
          <h3>{t('notTaken')}</h3>
          <ul className="phone-box">
            {refused.map((entry) => (
              <Refused key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section aria-label={t('notSentYet')}>
          <h3>{t('notSentYet')}</h3>
          <ul className="phone-box">
            {acts.map((entry) => (
              <li key={entry.id} className="phone-row2">
                <Deed entry={entry} />
                <span className="state">{t('onlyHere')}</span>
              </li>
            ))}
            {photos > 0 && (
              <li className="phone-row2">
                <span>{t('phoneRounds:photosWait', { count: photos })}</span>
                <span className="state">{t('onlyHere')}</span>
              </li>
            )}
          </ul>
        </section>
      )}
    </>
  )
}

function Deed({ entry: { body } }: { entry: OrderEntry }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  const written = {
    ...{ take: '', resume: '', arrive: '' },
    comment: body.Does === 'comment' && body.Text,
    process: body.Does === 'process' && body.Done,
    pause:
      body.Does === 'pause' &&
      t('workOrders:pausedFor', { why: t(`workOrders:whys.${body.Why}`), time: clockMinute(body.Until) }),
  }[body.Does]
  return (
    <span>
      {t(`does.${body.Does}`)}
      <small>
        {clockMinute(byServer(body.PhoneTime))}
        {written && ` · ${written}`}
      </small>
    </span>
  )
}

function Refused({ entry }: { entry: Entry }) {
  const { t } = useTranslation(['phoneOrders', 'phoneRounds'])
  const isAway = useAway()
  const [busy, setBusy] = useState(false)
  const [isNotNow, setNotNow] = useState(false)
  const again = async (act: OrderEntry) => {
    if (busy) return
    setBusy(true)
    setNotNow(false)
    const done = await callWithToast(actAgain(act))
    setNotNow(done !== false && !done.reply)
    setBusy(false)
  }
  return (
    <li className="phone-item">
      {isAct(entry) ? <Deed entry={entry} /> : <span>{t('phoneRounds:kinds.photo')}</span>}
      <p className="phone-note warning" role="alert">
        {entry.why ? localised(entry.why) : t('refused')}
      </p>
      {isNotNow && (
        <p className="phone-note warning" role="alert">
          {t('notNow')}
        </p>
      )}
      <div className="phone-row phone-presses">
        {isAct(entry) ? (
          <button type="button" className="btn" disabled={isAway} aria-busy={busy} onClick={() => void again(entry)}>
            {t(isAway ? 'againOffline' : 'again')}
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => void tryAgain(entry.id)}>
            {t('phoneRounds:again')}
          </button>
        )}
        <GiveUpButton id={entry.id} />
      </div>
    </li>
  )
}
