import { useTranslation } from 'react-i18next'
import type { Language } from '../../ui/i18n.ts'
import { language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { isDownloading } from '../net/download-course.ts'
import { startDownload, useDownload } from '../net/downloads.ts'
import { ReasonedButton } from './reasoned-button.tsx'
import './export-menu.css'

type Format = 'xlsx' | 'csv'
type Prepared = ReturnType<Parameters<typeof startDownload>[0]>

const formats = { xlsx: 'Excel (xlsx)', csv: 'CSV' } as const satisfies Record<Format, string>

/** What a list shows, as a file in one of two formats and in the reader's language. */
export function ExportMenu({
  ticket,
  isEmpty = false,
}: {
  /** Has the file prepared. */
  ticket: (as: { readonly Format: Format; readonly Language: Language }) => Prepared
  /** There is nothing in the list. */
  isEmpty?: boolean
}) {
  return (
    <ExportChoices
      isEmpty={isEmpty}
      choices={(['xlsx', 'csv'] as const).map((Format) => ({
        label: formats[Format],
        ticket: () => ticket({ Format, Language: language() }),
      }))}
    />
  )
}

/** Files of one page, each by a press: the browser's download begins once the server has prepared it, one at a time. */
export function ExportChoices({
  choices,
  isEmpty = false,
}: {
  choices: readonly { readonly label: string; readonly ticket: () => Prepared }[]
  isEmpty?: boolean
}) {
  const { t } = useTranslation('app')
  const busy = useDownload((state) => isDownloading(state.current))
  const icon = <Icon name="download" />
  if (isEmpty)
    return (
      <ReasonedButton className="btn" aria-label={t('export')} reason={t('nothingToExport')} onClick={() => {}}>
        {icon}
        <span className="word">{t('export')}</span>
      </ReasonedButton>
    )
  return (
    <Popover label={t('export')} icon={icon}>
      <div className="menu-items">
        {choices.map(({ label, ticket }) => (
          <ReasonedButton
            key={label}
            className="btn quiet"
            reason={busy ? t('loading') : null}
            onClick={() => void startDownload(ticket)}
          >
            {label}
          </ReasonedButton>
        ))}
      </div>
    </Popover>
  )
}
