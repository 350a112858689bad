import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnsentPhoto } from './unsent-photos.ts'
import { giveUp, sendAgain } from './unsent-photos.ts'

/** Photos that are not there yet: how far each has come, and what can be done where it does not. */
export function UnsentList({ photos }: { photos: readonly UnsentPhoto[] }) {
  const { t } = useTranslation('workOrders')
  useWarning(photos.length > 0)
  if (photos.length === 0) return null
  return (
    <ul className="photo-unsent" aria-label={t('unsentPhotos')}>
      {photos.map(({ id, role, state, received, ready, problem }) => (
        <li key={id}>
          <b>{t(`photoRoles.${role}`)}</b>
          {state === 'failed' || state === 'unreadable' ? (
            <>
              <span role="alert">{state === 'failed' ? problem : t('photoUnreadable')}</span>
              {state === 'failed' && (
                <button type="button" className="btn small" onClick={() => sendAgain(id)}>
                  {t('sendAgain')}
                </button>
              )}
              <button type="button" className="btn small quiet" onClick={() => giveUp(id)}>
                {t('giveUpPhoto')}
              </button>
            </>
          ) : (
            <progress aria-label={t('photoSending')} max={ready?.bytes.length ?? 1} value={received} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Whoever closes the page loses what is not sent. */
function useWarning(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsent])
}
