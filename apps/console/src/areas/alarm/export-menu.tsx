import { useTranslation } from 'react-i18next'
import { isDownloading } from '../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../app/net/downloads.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'

const formats = { xlsx: 'Excel (xlsx)', csv: 'CSV' } as const

/** What is shown, as a file in one of two formats and in the reader's language. One download at a time. */
export function ExportMenu({
  ticket,
}: {
  /** Has the file prepared. */
  ticket: (as: {
    Format: keyof typeof formats
    Language: ReturnType<typeof language>
  }) => ReturnType<Parameters<typeof startDownload>[0]>
}) {
  const { t } = useTranslation('app')
  const busy = useDownload((state) => isDownloading(state.current))
  return (
    <Popover label={t('export')} icon={<Icon name="download" />}>
      <div className="menu-items">
        {(['xlsx', 'csv'] as const).map((Format) => (
          <ReasonedButton
            key={Format}
            className="btn quiet"
            reason={busy ? t('loading') : null}
            onClick={() => void startDownload(() => ticket({ Format, Language: language() }))}
          >
            {formats[Format]}
          </ReasonedButton>
        ))}
      </div>
    </Popover>
  )
}
