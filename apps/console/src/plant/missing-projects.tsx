import { useTranslation } from 'react-i18next'
import type { QueryState } from '../app/net/combined-query.ts'
import '../ui/outdated.css'

/** Above what is shown without some projects: how many could not be loaded. They can be asked for again. */
export function MissingProjects({ count, query: { isFetching, refetch } }: { count: number; query: QueryState }) {
  const { t } = useTranslation(['monitor', 'app'])
  return (
    <p className="outdated" role="alert">
      {t('missingProjects', { count })}
      <button type="button" className="btn small" aria-busy={isFetching} onClick={isFetching ? undefined : () => refetch()}>
        {t('app:retry')}
      </button>
    </p>
  )
}
