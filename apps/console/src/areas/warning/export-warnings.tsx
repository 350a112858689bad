import type { Request } from '@linewarden/contract'
import { exportWarnings } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { isDownloading } from '../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../app/net/downloads.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

type Filter = Omit<Request<typeof exportWarnings>['body'], 'Format' | 'Language'>

/** Every finding that passes the filters as a workbook; one download at a time. */
export function ExportWarnings({ filter, nothing }: { filter: Filter; nothing: boolean }) {
  const { t } = useTranslation(['warning', 'app'])
  const busy = useDownload((state) => isDownloading(state.current))
  const start = () =>
    void startDownload(() => api.call(exportWarnings, { body: { ...filter, Format: 'xlsx', Language: language() } }))
  return (
    <ReasonedButton
      className="btn"
      title={t('app:export')}
      reason={nothing ? t('nothingToExport') : busy ? t('app:loading') : null}
      onClick={start}
    >
      <Icon name="download" />
      <span className="word">{t('app:export')}</span>
    </ReasonedButton>
  )
}
