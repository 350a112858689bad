import { useTranslation } from 'react-i18next'
import '../../ui/outdated.css'
import { messageOf } from './api.ts'
import type { QueryState } from './combined-query.ts'
import { useFailure } from './use-failure.ts'

/** Beside a filter of a list whose choices could not be fetched: why, so that it does not look as if there were none. */
export function NoFilter({ query }: { query: QueryState }) {
  const { t } = useTranslation()
  const failure = useFailure(query)
  if (failure === null) return null
  const { isFetching, refetch } = query
  return (
    <span className="outdated">
      <span role="alert">{t('noFilter', { problem: messageOf(failure) })}</span>
      <button type="button" className="btn small" aria-busy={isFetching} onClick={isFetching ? undefined : () => void refetch()}>
        {t('retry')}
      </button>
    </span>
  )
}
