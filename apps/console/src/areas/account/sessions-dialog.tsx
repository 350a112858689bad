import { endSession, listSessions } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { dayTime } from '../../ui/format.ts'
import './sessions-dialog.css'

/** Where an account is signed in, and the way to end it there. */
export function SessionsDialog({
  accountId,
  title,
  onClose,
}: {
  /** Null: my own. */
  accountId: string | null
  title: string
  onClose: () => void
}) {
  const { t } = useTranslation(['people', 'app'])
  const of = accountId === null ? {} : { AccountID: accountId }
  const query = useCall(listSessions, { query: of })
  const { data } = query
  const end = async (SessionID?: string) => {
    await callWithToast(change(endSession, { body: { ...of, ...(SessionID !== undefined && { SessionID }) } }))
  }
  return (
    <Dialog label={title} wide onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <Unloaded query={query} />
        {data && (
          <ul className="sessions">
            {data.items.map((session) => (
              <li key={session.SessionID}>
                <div>
                  <b>{session.Address}</b> {session.Current && <span className="chip">{t('current')}</span>}{' '}
                  {session.Remembered && <span className="chip">{session.Alive ? t('remembered') : t('onlyRemembered')}</span>}
                  <p className="mute">
                    {t('signedIn')} {dayTime(session.CreatedAt)} · {t('lastUsed')} {dayTime(session.LastUsedAt)}
                  </p>
                </div>
                {!session.Current && (
                  <button type="button" className="btn small" onClick={() => end(session.SessionID)}>
                    {t('endSession')}
                  </button>
                )}
              </li>
            ))}
            {data.items.length === 0 && <li className="mute">{t('noSessions')}</li>}
          </ul>
        )}
      </div>
      <div className="foot">
        <button type="button" className="btn" disabled={!data?.items.some(({ Current }) => !Current)} onClick={() => end()}>
          {t('endOthers')}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {t('app:close')}
        </button>
      </div>
    </Dialog>
  )
}
