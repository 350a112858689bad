import { exportEvents } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { isDownloading } from '../../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../../app/net/downloads.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { language } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Popover } from '../../../ui/popover.tsx'
import type { AlarmFilter, AlarmSort } from './address.ts'

/** All that match, in the order of the list and as it was begun, as a file. One download at a time. */
export function ExportMenu({ filter, sort, upTo }: { filter: AlarmFilter; sort: AlarmSort; upTo: string | null }) {
  const { t } = useTranslation(['alarmList', 'app'])
  const busy = useDownload((state) => isDownloading(state.current))
  const start = (Format: 'csv' | 'xlsx') => {
    const body = { ...filter, Sort: sort, ...(upTo !== null && { UpTo: upTo }), Format, Language: language() }
    void startDownload(() => api.call(exportEvents, { body }))
  }
  return (
    <Popover label={t('app:export')} icon={<Icon name="download" />}>
      <div className="menu-items">
        {(['xlsx', 'csv'] as const).map((format) => (
          <ReasonedButton
            key={format}
            className="btn quiet"
            reason={busy ? t('app:loading') : null}
            onClick={() => start(format)}
          >
            {t(`exportAs.${format}`)}
          </ReasonedButton>
        ))}
      </div>
    </Popover>
  )
}
