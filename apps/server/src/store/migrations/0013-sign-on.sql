-- Who signs on as this account: issuer and subject as the provider told them the first time. A name may be given to somebody else there; this not.
alter table account add sign_on text;
create unique index account_sign_on on account (sign_on) where removed_at is null;
