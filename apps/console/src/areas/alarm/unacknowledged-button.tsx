import { Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '../../app/net/lazy-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useUnacknowledged } from './unacknowledged.ts'

const UnacknowledgedDialog = lazyDialog(async () => (await import('./unacknowledged-dialog.tsx')).UnacknowledgedDialog)

/** How many events nobody has acknowledged; opens their list. */
export function UnacknowledgedButton() {
  const { t } = useTranslation('monitor')
  const total = useUnacknowledged((state) => state.total)
  const [open, setOpen] = useState(false)
  const count = total !== null && total > 999 ? '999+' : total
  return (
    <>
      <button
        type="button"
        className={total === null || total === 0 ? 'btn quiet' : 'btn quiet pending'}
        aria-label={count === null ? t('unacknowledged') : `${t('unacknowledged')} ${count}`}
        title={t('unacknowledged')}
        onClick={() => setOpen(true)}
      >
        <Icon name="warning" />
        <span className="word">{t('unacknowledged')}</span>{' '}
        {total !== null && total > 0 && <span className="count">{count}</span>}
      </button>
      {open && createPortal(<Suspense>{<UnacknowledgedDialog onClose={() => setOpen(false)} />}</Suspense>, document.body)}
    </>
  )
}
