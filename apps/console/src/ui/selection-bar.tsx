import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What can be done with the chosen rows, while there are any. */
export function SelectionBar({
  keys,
  onClear,
  children,
}: {
  keys: ReadonlySet<string>
  onClear: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  if (keys.size === 0) return null
  return (
    <div className="selection-bar" role="group" aria-label={t('chosen', { count: keys.size })}>
      <b>{t('chosen', { count: keys.size })}</b>
      {children}
      <span className="grow" />
      <button type="button" className="btn quiet" onClick={onClear}>
        {t('chooseNone')}
      </button>
    </div>
  )
}
