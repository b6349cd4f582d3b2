import type { PageLanguage } from '../platform/http/browser';
import { OutsidePage } from '../platform/markup/outside';
import { telOf } from '../platform/markup/phone';
import type { ShopAtDoor } from '../tenants/service';
import { SHOP } from './messages';

interface ShopProps {
  language: PageLanguage;
  shop: ShopAtDoor;
  /** Where the interface for staff is. */
  baseUrl: string;
}

/** `/` of a shop's host: whose it is and what happens here. Nothing of anybody else. */
export function ShopPage({ language, shop, baseUrl }: ShopProps) {
  const words = SHOP[language];
  const { shopName: name, phone, openingHours } = shop;
  const town = [shop.postalCode, shop.city].filter((part) => part !== null).join(' ');
  const lines = [shop.street, town].filter((line) => line);
  return (
    <OutsidePage
      language={language}
      title={name}
      class="narrow"
      test={shop.isTest === 1 ? words.test : undefined}
      isHidden={shop.isTest === 1}
      foot={<a href={`${baseUrl}/manage`}>{words.team}</a>}
    >
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {(lines.length > 0 || phone || openingHours) && (
        <div class="card">
          {lines.length > 0 && (
            <p>
              {lines.map((line, index) => (
                <>
                  {index > 0 && <br />}
                  <bdi>{line}</bdi>
                </>
              ))}
            </p>
          )}
          {phone && (
            <p>
              <a href={telOf(phone)}>{phone}</a>
            </p>
          )}
          {openingHours && (
            <p>
              <span class="quiet">{words.hours}: </span>
              <bdi>{openingHours}</bdi>
            </p>
          )}
        </div>
      )}
      <div class="card">
        <p>{words.what}</p>
        <p>{words.ask}</p>
      </div>
    </OutsidePage>
  );
}
