import { useTranslation } from 'react-i18next'
import { Place } from '../../../ui/place.tsx'
import '../../../ui/list.css'
import './parts.css'

const shownNames = 2

/** How many lines, and what the first of them are called. */
export function LineNames({ count, names }: { count: number; names: readonly string[] }) {
  const { t } = useTranslation('automation')
  const shown = names.slice(0, shownNames)
  return (
    <span className="two-lines">
      <span>{t('lines', { count })}</span>
      <small>
        <Place names={shown} between={t('nameBetween')} />
        {count > shown.length && shown.length > 0 && t('andMore', { names: '' })}
      </small>
    </span>
  )
}
