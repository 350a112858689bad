import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import './copy-value.css'

/** A value somebody carries elsewhere: to be read, selected whole by a click, or copied. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    )
  }
  return (
    <div className="copy-value">
      <span>{label}</span>
      <code>{value}</code>
      {/* Only a page that came over TLS, or from this machine, may write to the clipboard. */}
      {window.isSecureContext && (
        <button type="button" className="btn small" aria-label={`${t('copy')} ${label}`} onClick={copy}>
          {copied ? t('copied') : t('copy')}
        </button>
      )}
    </div>
  )
}
