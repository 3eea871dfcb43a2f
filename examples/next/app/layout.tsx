import type { ReactNode } from 'react';
import { Elements } from './elements.tsx';

export const metadata = { title: 'Sitrep with Next' };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Elements />
      </body>
    </html>
  );
}
