import { countWarnings } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Mark } from '../../ui/mark.tsx'

/** Warnings ripen over days: nobody waits for this figure. */
const everyMs = 60_000

/** How many early warnings are open, beside the name of their page; nothing while there are none, or it is not known. */
export function WarningCount() {
  const { t } = useTranslation('monitor')
  const { data } = useQuery({
    queryKey: [...keyOf(countWarnings), 'menu'],
    queryFn: ({ signal }) => api.call(countWarnings, {}, { signal }),
    refetchInterval: everyMs,
    retry: false,
  })
  const count = data ? data.Alarm + data.Warning + data.Notice : 0
  if (!data || count === 0) return null
  const kind = data.Alarm > 0 ? 'alarm' : 'warning'
  return (
    <b className={`page-count ${kind}`}>
      <Mark kind={kind} />
      <span className="hidden-visually">{t('kindCounts.warning', { count })}</span>
      <span aria-hidden="true">{count}</span>
    </b>
  )
}
