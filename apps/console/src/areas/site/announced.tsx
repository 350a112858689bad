import { announcedGateways, dismissGateway } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useSession } from '../../app/session/session.ts'
import { Empty } from '../../ui/body-state.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { dayTime } from '../../ui/format.ts'
import './announced.css'

/** Unknown gateways belong to no tenant: only whoever runs the installation sees them. */
function useAnnounced() {
  const platform = useSession(({ user }) => user?.Platform === true)
  return useCall(announcedGateways, {}, { enabled: platform, refetchInterval: 10_000 })
}

/** Says that gateways wait to be claimed; nothing when none do. */
export function AnnouncedStrip({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('gateway')
  const count = useAnnounced().data?.total ?? 0
  if (count === 0) return null
  return (
    <p className="announced-strip" role="status">
      <b>{t('announcedStrip', { count })}</b>
      <button type="button" className="btn" onClick={onOpen}>
        {t('announcedShow')}
      </button>
    </p>
  )
}

/** Gateways that have announced themselves: each is claimed, or shown no more. */
export function AnnouncedDialog({ onClaim, onClose }: { onClaim: (number: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['gateway', 'app'])
  const query = useAnnounced()
  const { data } = query
  const dismiss = (number: string) => callWithToast(change(dismissGateway, { body: { Number: number } }))
  return (
    <Dialog label={t('announced')} wide onClose={onClose}>
      <h2>{t('announced')}</h2>
      <div className="content">
        <Unloaded query={query} />
        {data?.items.length === 0 && <Empty title={t('announcedNone')} />}
        {data && data.items.length > 0 && (
          <>
            <p className="mute">{t('announcedHint')}</p>
            <div className="announced">
              <table>
                <thead>
                  <tr>
                    <th>{t('number')}</th>
                    <th>{t('lastTry')}</th>
                    <th>{t('firstTry')}</th>
                    <th className="num">{t('tries')}</th>
                    <th>{t('from')}</th>
                    <th>{t('app:actions')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map(({ Number: number, LastAt, FirstAt, Tries, Address, Mqtt5 }) => (
                    <tr key={number}>
                      <td>
                        <b>{number}</b>
                        {Mqtt5 && <small className="warn">{t('mqtt5')}</small>}
                      </td>
                      <td>{dayTime(LastAt)}</td>
                      <td>{dayTime(FirstAt)}</td>
                      <td className="num">{Tries}</td>
                      <td>{Address || '–'}</td>
                      <td>
                        <button
                          type="button"
                          className="btn small"
                          aria-label={t('claimNamed', { number })}
                          onClick={() => onClaim(number)}
                        >
                          {t('claim')}
                        </button>{' '}
                        <button
                          type="button"
                          className="btn small quiet"
                          aria-label={t('dismissNamed', { number })}
                          title={t('dismissHint')}
                          onClick={() => void dismiss(number)}
                        >
                          {t('dismiss')}
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
