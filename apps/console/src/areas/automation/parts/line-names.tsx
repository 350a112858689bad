import { useTranslation } from 'react-i18next'
import { LineTags } from '../../../plant/tag-mark.tsx'
import { Place } from '../../../ui/place.tsx'
import '../../../ui/list.css'
import './parts.css'

const shownNames = 2

/** How many lines, what the first of them are called, and how many of all are tagged. `count`: also those that the reader does not see. */
export function LineNames({
  lines,
  count = lines.length,
}: {
  lines: readonly { readonly LineID: number; readonly LineName: string }[]
  count?: number
}) {
  const { t } = useTranslation('automation')
  const shown = lines.slice(0, shownNames).map(({ LineName }) => LineName)
  return (
    <span className="two-lines">
      <span>
        {t('lines', { count })} <LineTags lineIds={lines.map(({ LineID }) => LineID)} />
      </span>
      <small>
        <Place names={shown} between={t('nameBetween')} />
        {count > shown.length && shown.length > 0 && t('andMore', { names: '' })}
      </small>
    </span>
  )
}
