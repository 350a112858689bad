import type { Request } from '@linewarden/contract'
import { queryScenes } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../../../app/net/api.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { ExportButton } from '../../../ui/export-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useZones } from '../parts/use-zones.ts'
import { sceneColumns } from './scene-columns.ts'

/** Above the scenes: all that pass the filters as a file, what became of their runs, and a new one. */
export function SceneTools({
  filter,
  reason,
  onAdd,
}: {
  filter: Omit<Request<typeof queryScenes>['body'], 'Page' | 'Size'>
  reason: string | null
  onAdd: () => void
}) {
  const { t } = useTranslation(['scenes', 'automation', 'app'])
  const mayOpenLog = useMayOpen(paths.sceneLog)
  const zoneOf = useZones()
  return (
    <>
      <ExportButton
        name={t('title')}
        columns={sceneColumns(t, zoneOf)}
        fetchPage={(Page, Size) => api.call(queryScenes, { body: { ...filter, Page, Size } })}
      />
      {mayOpenLog && (
        <Link className="btn" to={paths.sceneLog} title={t('log')}>
          <Icon name="log" />
          <span className="word">{t('log')}</span>
        </Link>
      )}
      <ReasonedButton className="btn primary" reason={reason} onClick={onAdd}>
        <Icon name="plus" />
        {t('add')}
      </ReasonedButton>
    </>
  )
}
