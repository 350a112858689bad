import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import { pageSizes } from './list-state.ts'

/** How many there are, which are shown, and the way to the others. */
export function Pager({
  page,
  size,
  total,
  onPage,
  onSize,
}: {
  page: number
  size: number
  /** Null: not known yet. */
  total: number | null
  onPage: (page: number) => void
  onSize: (size: number) => void
}) {
  const place = useId()
  const { t } = useTranslation()
  const last = total === null ? page : Math.max(1, Math.ceil(total / size))
  return (
    <nav className="pages" aria-label={t('pages')}>
      <span>{total === null ? '' : t('total', { count: total })}</span>
      <span className="grow" />
      <label>
        <span className="hidden-visually">{t('pageSize')}</span>
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {pageSizes.map((each) => (
            <option key={each} value={each}>
              {t('perPage', { count: each })}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn small"
        aria-label={t('previousPage')}
        aria-describedby={place}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="left" />
      </button>
      <span id={place}>{t('pageOf', { page, last })}</span>
      <button
        type="button"
        className="btn small"
        aria-label={t('nextPage')}
        aria-describedby={place}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="right" />
      </button>
    </nav>
  )
}
