import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { exact, Text } from '../../core/schemas.ts'

const words = (most: number, description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength: most }), Type.Null()], { description })

/** Where a logo is fetched: by the hash of its content, so that it can be kept for ever. */
export const logoPath = '/api/v1/branding/logo/'
/** A logo's limits: bytes, and pixels a side. */
export const logoMax = { bytes: 262_144, side: 2_048 } as const

export const Branding = Type.Object(
  {
    Name: Type.Union([Text, Type.Null()], { description: 'Whose installation this is; null: nobody is named' }),
    Title: Type.Union([Text, Type.Null()], { description: 'The title of every page; null: the one of the specification' }),
    Logo: Type.String({ description: 'Address of the logo; empty: the product has its own' }),
    SignOn: Type.Union([Type.Object({ Name: Type.String() }, exact), Type.Null()], {
      description: "The organisation's own sign-on, as its button on the login page says; null: off",
    }),
  },
  exact,
)
export type Branding = Type.Static<typeof Branding>

export const branding = call({
  name: 'branding',
  method: 'GET',
  path: '/branding',
  area: 'account',
  permission: 'public',
  scope: { kind: 'none' },
  summary: 'Whose installation this is, as the login page shows it',
  data: Branding,
})

const stored = {
  NameZh: words(32, 'Null: what the environment says'),
  NameEn: words(64, 'Null: what the environment says'),
  TitleZh: words(32, 'Null: the title of the specification'),
  TitleEn: words(64, 'Null: the title of the specification'),
  ProviderHost: Type.Union([Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$' }), Type.Null()], {
    description: "The host on which the provider's link is shown; null: what the environment says",
  }),
  ProviderName: words(64, 'The words of the link'),
  ProviderUrl: Type.Union([Type.String({ maxLength: 512, pattern: '^https?://[^\\s]+$' }), Type.Null()], {
    description: 'Where the link leads',
  }),
}

export const BrandingSettings = Type.Object(
  {
    ...stored,
    Logo: Type.String({ description: 'Address of the logo; empty: none is stored' }),
    Version: Type.Integer(),
    Default: Type.Object(
      { Name: Type.String(), ProviderHost: Type.String(), ProviderName: Type.String(), ProviderUrl: Type.String() },
      { ...exact, description: 'What the environment says; empty: nothing' },
    ),
  },
  exact,
)
export type BrandingSettings = Type.Static<typeof BrandingSettings>

const platform = { area: 'account', permission: 'platform', scope: { kind: 'none' } } as const

export const brandingSettings = call({
  ...platform,
  name: 'brandingSettings',
  method: 'GET',
  path: '/branding/settings',
  shows: ['branding'],
  summary: 'The branding as it is stored, for its form',
  data: BrandingSettings,
})

export const editBranding = call({
  ...platform,
  name: 'editBranding',
  maxBodyBytes: largeBodyBytes,
  method: 'PUT',
  path: '/branding/settings',
  audited: true,
  touches: ['branding'],
  summary: 'Change logo, names, page title and the link to the provider',
  body: Type.Object(
    {
      ...stored,
      Version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      Logo: Type.Optional(
        Type.Union([Type.String({ minLength: 4, maxLength: 360_000, pattern: '^[A-Za-z0-9+/]+={0,2}$' }), Type.Null()], {
          secret: true,
          description: 'PNG, JPEG or WebP in base64; null: the stored one goes; absent: it stays',
        }),
      ),
    },
    exact,
  ),
  data: BrandingSettings,
})
