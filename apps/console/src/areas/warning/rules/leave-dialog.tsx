import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { Dialog } from '../../../ui/dialog.tsx'

/** While something is not saved, another rule, project or page is asked for first; closing the tab, too. */
export function useUnsaved(isUnsaved: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && (currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search),
  )
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  return {
    isLeaving: blocker.state === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  }
}

/** Asks whether what was typed may be lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('warningRules')
  return (
    <Dialog label={t('leaveTitle')} onClose={onStay}>
      <h2>{t('leaveTitle')}</h2>
      <div className="content">
        <p>{t('leaveWhat')}</p>
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onLeave}>
          {t('leave')}
        </button>
        <button type="button" className="btn primary" data-first onClick={onStay}>
          {t('stay')}
        </button>
      </div>
    </Dialog>
  )
}
