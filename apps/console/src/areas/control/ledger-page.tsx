import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Segments } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { CommandsView } from './commands-view.tsx'
import { GroupOperationsView } from './group-operations-view.tsx'

const views = ['commands', 'runs'] as const

/** Who ordered what, and what did the equipment say to it? Line by line, or by the groups that lines were operated in. */
export function LedgerPage() {
  const { t } = useTranslation(['operations', 'control'])
  const [query, setQuery] = useSearchParams()
  const view = views.find((each) => each === query.get('view')) ?? 'commands'
  const device = query.get('device')
  return (
    <Page
      title={t('control:ledger')}
      {...(device && view === 'commands' && { crumb: `${device} #${query.get('no') ?? ''}` })}
      tools={
        <Segments
          label={t('view')}
          value={view}
          options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(to) => setQuery(to === 'commands' ? {} : { view: to })}
        />
      }
    >
      {view === 'runs' ? <GroupOperationsView /> : <CommandsView />}
    </Page>
  )
}
